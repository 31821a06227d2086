from niah.api.python.comparing import compare as compare
from niah.api.python.judging import judge as judge
from niah.api.python.opened_cases import open_cases as cases
from niah.api.python.reporting import report as report
from niah.api.python.run import Run as Run
from niah.api.python.run import load_run as load_run
from niah.api.python.running import plan as plan
from niah.api.python.running import run as run
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
