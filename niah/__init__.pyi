from niah.api.compare import compare as compare
from niah.api.judge import judge as judge
from niah.api.result import Run as Run
from niah.api.result import load_run as load_run
from niah.api.result import report as report
from niah.api.run import plan as plan
from niah.api.run import run as run
from niah.cases.suite import open_cases as cases
from niah.errors import NiahError as NiahError
from niah.errors import UserError as UserError

__all__ = [
    "NiahError",
    "Run",
    "UserError",
    "__version__",
    "cases",
    "compare",
    "judge",
    "load_run",
    "plan",
    "report",
    "run",
]

__version__: str
