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
    r"(?:texts?|documents?|books?|stor(?:y|ies)|tales?|narratives?|novels?|passages?|articles?|context"
    r"|reports?|transcripts?|conversations?|discussions?|debates?|meetings?|speech(?:es)?|lectures?"
    r"|manuscripts?|essays?|play|memoirs?|papers?|chronicle|collections?|correspondence|content|above)"
)
_GIST = (
    r"(?:ideas?|themes?|topics?|points?|messages?|subjects?|arguments?|plot(?:line)?s?|stor(?:y|yline)|tone"
    r"|mood|gist|summary|thesis|takeaways?|threads?|conclusions?|events|developments?)"
)
_SHORT_FORM = (
    r"(?:summar(?:y|ies)|synops(?:is|es)|gist|outline|overview|pr[eé]cis|abstract|digest|blurb|highlights"
    r"|recap(?:itulation)?|abridge?ment|r[eé]sum[eé]|rundown|condensation)"
)
_ASK = (
    r"(?:giv(?:e|ing)|writ(?:e|ing)|provid(?:e|ing)|draft|prepar(?:e|ing)|produc(?:e|ing)|mak(?:e|ing)"
    r"|compos(?:e|ing)|offer|want|need|like|creat(?:e|ing)|generat(?:e|ing)|present|have|get|do|show|send"
    r"|supply|put\s+together)"
)
# "What did the clerk write in the summary?" asks for none.
_ITS_WORDS = (
    r"(?:[\s,-]+(?!(?:on|at|from|into|of|by|that|who|which|she|he|they|did|in\s+the)\b)\w+){0,9}?[\s,-]+"
)
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|\d+|top|several)"
_OFTEN = (
    r"(?:(?:most|least|highest|greatest|lowest)[\s-]+(?:\w+[\s-]+)?"
    r"(?:common|commonly|frequent|frequently|often|repeated|used|mentioned|recurring|numerous|frequency"
    r"|counts?)|commonest|oftenest|most\s+times|more\s+often\s+than\s+(?:any|all)"
    r"|(?:appear|occur|com|recur|repeat|show|turn|list|nam|mention|record|cit|us)\w*\s+(?:up\s+)?the\s+most)"
)
_WORDS = r"(?:words?|terms?|tokens?|phrases?|strings?|vocabulary|nouns?|verbs?|adjectives?|expressions?)"

_SUMMARY = rf"""
    \bsummari[sz](?:e[sd]?|ing|ation)\b | \btl;?dr\b | \bin\s+a\s+nutshell\b
  | \b(?:sum|summing)\s+(?:(?:it|this|everything)\s+)?(?:all\s+)?up\b
  | \b{_ASK}\b {_ITS_WORDS} {_SHORT_FORM}\b
  | \A\W*(?:(?:an?|the|your)\s+)?(?:(?!wh|how|did|does|is|was|were)\w+[\s-]+){{0,3}}{_SHORT_FORM}\b
  | \b(?:what|how)\b [^.?!]{{0,12}} \b(?:gist|essence)\b
  | \b(?:condense|abridge|recap|recapitulate|paraphrase|boil\w*\s+down|retell)\b
    [^.?!]{{0,40}} \b(?:{_WHOLE}|it|this|all)\b
"""
_FREQUENCY = rf"""
    \b{_WORDS}\b [^?]{{0,80}} \b{_OFTEN}\b | \b{_OFTEN}\b [^?]{{0,60}} \b{_WORDS}\b
  | \b{_WORDS}\b [^.?]{{0,40}} \bfrequenc(?:y|ies)\b | \bfrequenc(?:y|ies)\b [^.?]{{0,40}} \b{_WORDS}\b
  | \bword\s+counts?\b | {_WORDS} [^.?]{{0,30}} \bhow\s+often\b | \bhow\s+often\b [^.?]{{0,12}} {_WORDS}
  | \b(?:add|count|sum|tally|total)\w*\s+(?:up\s+)?(?:all\s+|every\s+|each\s+|the\s+)*
    (?:mentions?|occurrences?|sightings?|appearances?|instances?)\b
  | \b{_NUMBER}\b [^.?]{{0,60}} \b{_OFTEN}\b | \b{_OFTEN}\b [^.?]{{0,8}} \b{_NUMBER}\b
  | \b(?:appear|occur|recur|repeat|mention|nam|list|com)\w*\s+(?:\w+\s+)?{_OFTEN}\b
  | \b(?:count|tally|tot)\w*\s+(?:\w+\s+)?(?:all|every|everything|each)\b
    [\s\S]{{0,200}} \b(?:most|least|fewest)\b
"""
_DESCRIPTION = rf"""
    \b(?:main|central|overall|overarching|principal|key|general|major|core|chief|broad|underlying|most\s+important)
    \s+(?:\w+\s+)?{_GIST}\b
  | \b(?:describe|review|characteri[sz]e|discuss|analy[sz]e)\s+(?:\w+\s+){{0,6}}?
    (?:whole|entire|full|complete)\b
  | \bdescribe\s+(?:this|the)\s+(?:\w+\s+)?{_WHOLE}\b\W*\Z
  | \bas\s+a\s+whole\b | \b(?:whole|entire)\s+{_WHOLE}\b | \bthroughout\s+(?:the|this)\s+{_WHOLE}\b
  | \bwhat\s+(?:is|was|are|were)\s+(?:the|this|these)\s+{_WHOLE}\s+(?:\w+\s+)?about\b
  | \bwhat\s+(?:does|did|do)\s+(?:the|this)\s+{_WHOLE}\s+(?:\w+\s+)?
    (?:deal\s+with|cover|discuss|address|treat)\b
  | \b(?:what|which|list|name)\s+(?:\w+\s+){{0,3}}(?:topics|themes|motifs|subjects|issues)\b
    [^.?!]{{0,60}} \b{_WHOLE}\b
  | \b(?:moral|lesson|message|theme|thrust|essence|purpose|thesis|plot|tone|mood|style)
    \s+of\s+(?:the|this)\s+(?:\w+\s+)?{_WHOLE}\b
  | \bcourse\s+of\s+(?:the|this)\s+{_WHOLE}\b
  | \btime\s+to\s+read\b | \b(?:do|should|must)\s+i\s+(?:need\s+to\s+|have\s+to\s+)?know\b
  | \bwhat\s+happens\s+in\s+(?:the|this)\s+{_WHOLE}\b
  | \bfrom\s+(?:beginning|start|first)\s+to\s+(?:the\s+)?(?:end|finish|last)\b
  | \A\W*(?:over)?all\s+in\s+all\b | \A\W*overall\b
"""


def route(question: str) -> Reach:
    """Which expert answers, by rules over English words: "global" for all of the text, else "local"."""
    return "global" if _asks_of_all().search(question) else "local"


@cache
def _asks_of_all() -> re.Pattern[str]:
    """Built when it is asked for: every command reads this module, and few route a question."""
    return re.compile(rf"{_SUMMARY} | {_FREQUENCY} | {_DESCRIPTION}", re.IGNORECASE | re.VERBOSE)


def read_routing(reply: str) -> Reach | None:
    """What a model's reply means; None for one that says neither."""
    found = re.match(r"\W*(y|n|yes|no)\b", reply, re.IGNORECASE)
    if found is None:
        return None
    return "global" if found[1][0].lower() == "y" else "local"
