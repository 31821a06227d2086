"""What a package that adds to niah takes and gives: ``from niah.plugins import Answer, Verdict``."""

from niah.cases.questions.question_set import QuestionSetFormat as QuestionSetFormat
from niah.cases.sample import AnswerKey as AnswerKey
from niah.judges.metrics import Metric as Metric
from niah.judges.verdict import RuleJudge as RuleJudge
from niah.judges.verdict import Verdict as Verdict
from niah.readers.reader import Answer as Answer
from niah.readers.reader import Failure as Failure
from niah.readers.reader import Request as Request
from niah.readers.reader import Usage as Usage
from niah.readers.resolve import ReaderSpec as ReaderSpec
from niah.strategies.chunkers import ChunkerKind as ChunkerKind
from niah.strategies.parts import ChunkOrder as ChunkOrder
from niah.strategies.parts import Preset as Preset
