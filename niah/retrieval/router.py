"""Which of MixPR's two experts answers a question: by rules, or by asking a language model.

A global question is about all of the text: a summary, the words that come most often, a description of the
whole (mixture-of-pageranks, appendix A.2). Everything else is local. The rules are kept narrow, since alpha
0 fails on local questions while alpha 0.6 only weakens on global ones (figure 3): "the overall cost of the
trip" stays local, "the overall theme" is global.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

Reach = Literal["local", "global"]

_WHOLE = (
    r"(?:the|this)\s+(?:\w+\s+)?(?:text|document|book|story|novel|passage|article|report|conversation|memoir"
    r"|correspondence|manuscript|essay|paper|collection|log|list)"
)
_WORDS = r"(?:words?|terms?|tokens?|phrases?|nouns?|verbs?|items?|two|three|four|five|ten|\d+|top)"
_OFTEN = (
    r"(?:(?:most|least|highest)[\s-]+(?:\w+[\s-]+)?(?:common|frequent|often|repeated|used|mentioned|recurring"
    r"|numerous|times|counts?|occurrences)\w*|commonest|the\s+most|more\s+often\s+than\s+(?:any|all)|frequenc\w*)"
)
# "Who wrote the summary?" and "What did the clerk write in it?" ask for none.
_SUMMARY = rf"""
    \bsummari[sz](?:e|ing)\b | \btl;?dr\b | \bnutshell\b | \bsum(?:ming)?\s+(?:\w+\s+){{0,2}}up\b
  | \b(?:condense|shorten|retell|abridge|boil)\s+(?:{_WHOLE}|this|it)\b
  | \A\W*(?!who|whose|where|when|which|why|what\s+(?:did|was|is\s+(?!the\s+gist))|how|did|(?:in|on|to)\s+w)
    [^.?!]{{0,80}}? \b(?:summary|synopsis|gist|outline|overview|pr[eé]cis|abstract|digest|blurb|recap)\b
"""
_FREQUENCY = rf"""
    \b{_WORDS}\b [^.?]{{0,80}} \b{_OFTEN} | \b{_OFTEN}\s [^.?]{{0,60}} \b{_WORDS}\b | \bword\s+counts?\b
  | \b(?:appears?|occurs?|recurs?|repeat|comes?|turn|named|listed)\s+(?:\w+\s+)?{_OFTEN}
  | \bhow\s+often\b [^.?]{{0,12}} \bwords?\b
  | \bcount\s+(?:all|every|each)\b [\s\S]{{0,200}} \b(?:most|least|fewest)\b
"""
_DESCRIPTION = rf"""
    \b(?:main|central|overall|principal|key|general|major|core|underlying|most\s+important)
    \s+(?:\w+\s+)?(?:ideas?|themes?|topics?|points?|messages?|arguments?|plot|story|tone|takeaways?)\b
  | \b(?:whole|entire|full|complete)\s+(?:text|document|book|story|novel|report|manuscript|correspondence)\b
  | \b(?:what|which)\s+(?:topics|themes)\b | \bwhat\s+(?:is|was)\s+{_WHOLE}\s+about\b
  | \bwhat\s+happens\s+in\s+{_WHOLE} | \b(?:throughout|course\s+of|what)\s+{_WHOLE} | \bas\s+a\s+whole\b
  | \A\W*overall\b | \b(?:moral|plot|theme|message|thesis)\s+of\s+{_WHOLE}
"""


def route(question: str) -> Reach:
    """Which expert answers, by rules over English words: "global" for all of the text, else "local"."""
    return "global" if _asks_of_all().search(question) else "local"


@cache
def _asks_of_all() -> re.Pattern[str]:
    """Built when it is asked for: every command reads this module, and few route a question."""
    return re.compile(f"{_SUMMARY} | {_FREQUENCY} | {_DESCRIPTION}", re.IGNORECASE | re.VERBOSE)


def read_routing(reply: str) -> Reach | None:
    """What a model's reply means; None for one that says neither."""
    found = re.match(r"\W*(y|n|yes|no)\b", reply, re.IGNORECASE)
    if found is None:
        return None
    return "global" if found[1][0].lower() == "y" else "local"
