"""Sentences of answers that claim nothing, doubt, refuse or run on."""

from __future__ import annotations

# Each says that the text does not tell: wrong where it does, right where it does not.
SILENT_TEXT = (
    "The text does not say.",
    "I cannot find the answer in the passages.",
    "There is no information about this in the text.",
    "I'm sorry, but I am unable to answer this from the given context.",
    "The passages do not mention this.",
    "Not stated in the text.",
    "This question cannot be answered from what I was given.",
    "None of the passages answers this question.",
    "Nothing in the text answers that.",
    "The context doesn't contain that information.",
    "It is nowhere stated.",
    "The answer is not in the passages.",
    "Unfortunately, the provided text makes no mention of it.",
    "The document is silent on this.",
    "I looked through all of it and found nothing about this.",
    "Based on the text, it isn't possible to answer.",
    "No passage tells us.",
)
# Of an answerer who does not know; whether the text tells stays open.
IGNORANT = ("I don't know.", "I have no idea, sorry.", "No clue.")

UNRELATED = (
    "Bread rises best in a warm kitchen, under a damp cloth.",
    "Long texts are a pleasure to read, above all in the evening.",
    "It all depends on how one looks at it, as so often in life.",
    "Thank you for the passages! Shall I summarise them or translate them for you?",
    "Everyone agrees that the weather had been fine all week.",
    "Yes.",
    "",
)

# Around an answer; {answer} begins with a capital letter and ends with a full stop.
HEDGES = (
    "I am not entirely sure, but here is what I have. {answer}",
    "{answer} I may be wrong about this, though.",
    "{answer} I can't be certain, though.",
    "My best guess: {answer}",
    "{answer} That said, I could be mistaken.",
    "It is hard to tell, but I would say this. {answer}",
    "Don't take my word for it: I'm rather unsure. {answer}",
    "I think so, at least; I would not swear to it. {answer}",
    "If I had to guess, I would say this. {answer}",
    "{answer} But do check it, because I have my doubts.",
)
WITHDRAWALS = (
    "{answer} On second thoughts, the text does not say.",
    "{answer} However, this is not explicitly mentioned in the text.",
    "{answer} No, I take that back: I cannot find it in the passages.",
    "{answer} But the passages do not actually state this.",
    "{answer} Sorry, please disregard that: the text gives no answer.",
    "{answer} Actually, none of this is stated anywhere.",
)

# Names a wrong element without claiming it; {wrong} stands for it.
ASIDES = (
    "{answer} Not {wrong}, which belongs to something else.",
    "{answer} The text also mentions {wrong}, but that belongs to another question.",
    "{answer} {wrong} is not part of it.",
    "{answer} Do not be misled by {wrong}: that is the answer to a different question.",
    "While {wrong} is mentioned elsewhere, that is another matter. {answer}",
    "{answer} ({wrong} would be wrong.)",
    "One might think of {wrong}, but that would be a mistake. {answer}",
    "{answer} I leave out {wrong}, since the text says it of something else.",
    "{answer} This does not include {wrong}.",
)

# Before an answer.
PREAMBLES = (
    "Thank you for your question. I have read the whole of the text with care, from the first page to the "
    "last, "
    "and I have tried to keep apart what is told in passing and what bears on the matter. Much of it is "
    "background: people come and go, the seasons turn, and there are digressions that make pleasant reading. "
    "Leaving all of this to one side, I come to the point.",
    "To answer this properly, let us first recall how the passages are put together. They are many, they "
    "were "
    "written by several hands, and they do not follow the order in which one would wish to be told things. "
    "One "
    "has to collect the answer bit by bit. That is what I have done, and the outcome is given below.",
)
CLOSING = "I hope that this helps; do ask if you would like me to explain how I went about it."
