"""Loaders of generated benchmarks and long conversations: RULER, BABILong, MRCR, LongMemEval."""

from __future__ import annotations

from collections.abc import Iterator

from niah.cases.questions.datasets import Asked, Row, ask, dataset, document

_ANY_OUTPUT = "Answer the question based on the given documents."


@dataset(
    "ruler",
    "RULER, one task and length as it generates them: .jsonl",
    licence="Apache-2.0; of its qa tasks SQuAD's and HotpotQA's own",
    cite="Hsieh et al. (2024), RULER: What's the Real Context Size of Your Long-Context Language Models? "
    "arXiv:2404.06654",
)
def ruler(row: Row) -> Iterator[Asked]:
    """The last line of the input is the question; all outputs are asked for, but in qa_1 and qa_2 one."""
    index, outputs = row.integer("index"), row.texts("outputs")
    text = row.text("input").rstrip().removesuffix(row.text("answer_prefix", "").strip()).rstrip()
    context, line_break, question = text.rpartition("\n")
    if not line_break or not context.strip():
        problem = "has no line break between context and question."
        raise row.error("input", problem, "Generate it without --remove_newline_tab.")
    if "?" not in question and not question.startswith("Question:"):
        remedy = "Generate it with the model template base."
        raise row.error("input", f"ends in {question[-60:]!r}, no question.", remedy)
    one_is_enough = context.lstrip().startswith(_ANY_OUTPUT)
    yield ask(
        document(context.rstrip()),
        id=f"ruler-{index}",
        question=question.removeprefix("Question:").strip(),
        answers=tuple(dict.fromkeys(outputs)) if one_is_enough else (", ".join(outputs),),
        source="RULER",
    )


@dataset(
    "babilong",
    "BABILong, one task and length: .json",
    licence="that of bAbI and of the books around its facts; see the dataset's card",
    cite="Kuratov et al. (2024), BABILong: Testing the Limits of LLMs with Long Context "
    "Reasoning-in-a-Haystack. arXiv:2406.10149",
)
def babilong(row: Row) -> Iterator[Asked]:
    """A question a row of RMT-team/babilong, which has no ids."""
    yield ask(
        document(row.text("input")),
        id=f"babilong-{row.number}",
        question=row.text("question"),
        answers=(row.text("target"),),
        source="BABILong",
    )


@dataset(
    "mrcr",
    "OpenAI MRCR, the hub's rows: .jsonl",
    licence="MIT",
    cite="OpenAI MRCR (2025), huggingface.co/datasets/openai/mrcr; after MRCR of arXiv:2409.12640",
)
def mrcr(row: Row) -> Iterator[Asked]:
    """The last message of the prompt (JSON in a text) asks about those before it."""
    *before, last = row.rows("prompt")
    question = last.text("content")
    if not before:
        raise row.error("prompt", "has no conversation and a question after it.", "Take the row out.")
    turns = (f"{turn.text('role')}: {turn.text('content', '')}" for turn in before)
    conversation, answer = document("\n\n".join(turns)), row.text("answer")
    reply = answer.removeprefix(row.text("random_string_to_prepend", ""))
    yield ask(
        conversation,
        id=f"mrcr-{row.number}",
        question=question,
        answers=(answer,),
        kind=f"{row.integer('n_needles')} needles",
        source="MRCR",
        evidence=(reply,) if reply.strip() and reply in conversation.text else (),
    )


@dataset(
    "longmemeval",
    "LongMemEval: longmemeval_s.json, _m, _oracle",
    licence="MIT",
    cite="Wu et al. (2024), LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory. "
    "arXiv:2410.10813",
)
def longmemeval(row: Row) -> Iterator[Asked]:
    """A question over all sessions in the order of their dates; turns with ``has_answer`` are evidence."""
    id, answer = row.text("question_id"), row.data.get("answer")
    dates, sessions = row.texts("haystack_dates", ()), row.values("haystack_sessions")
    if len(dates) != len(sessions):
        problem = f"has {len(dates)} dates for {len(sessions)} sessions."
        raise row.error("haystack_dates", problem, "Write one for each.")
    parts, evidence = [], []
    for date, turns in sorted(zip(dates, sessions, strict=True), key=lambda one: one[0]):
        lines = [f"Session of {date}"]
        for turn in (Row(each, row.where, row.path, row.number, "haystack_sessions") for each in turns):
            content = turn.text("content", "")
            lines.append(f"{turn.text('role')}: {content}")
            if turn.flag("has_answer") and content.strip():
                evidence.append(content)
        parts.append("\n".join(lines))
    yield ask(
        document("\n\n".join(parts)),
        id=id,
        question=f"{row.text('question')} (Asked on {row.text('question_date')}.)",
        answers=(str(answer) if isinstance(answer, int) else row.text("answer"),),
        kind="abstention" if id.endswith("_abs") else row.text("question_type"),
        source="chats",
        evidence=tuple(dict.fromkeys(evidence)),
    )
