"""Loaders of generated benchmarks and long conversations: RULER, BABILong, MRCR, LongMemEval."""

from __future__ import annotations

from collections.abc import Iterator

from niah.cases.questions.datasets import Asked, Row, ask, dataset, distinct, listed


@dataset(
    "ruler",
    "RULER, one task and length as it generates them: .jsonl",
    "Apache-2.0; of its qa tasks SQuAD's and HotpotQA's own",
    "Hsieh et al. (2024), RULER, COLM. arXiv:2404.06654",
)
def ruler(row: Row) -> Iterator[Asked]:
    """The last line of the input is the question; all outputs are asked for, but in qa_1 and qa_2 one."""
    text = row["input"].rstrip().removesuffix(row.get("answer_prefix", "").strip()).rstrip()
    context, line_break, question = text.rpartition("\n")
    if not line_break or not context.strip():
        raise ValueError("input: has no line break between context and question")
    if "?" not in question and not question.startswith("Question:"):
        raise ValueError(f"input: ends in {question[-60:]!r}, no question: take the model template base")
    any_output = context.lstrip().startswith("Answer the question based on the given documents.")
    yield ask(
        context.rstrip(),
        id=f"ruler-{row['index']}",
        question=question.removeprefix("Question:").strip(),
        answers=distinct(row["outputs"]) if any_output else (", ".join(row["outputs"]),),
        source="RULER",
    )


@dataset(
    "babilong",
    "BABILong, one task and length: .json",
    "that of bAbI and of the books around its facts; see the dataset's card",
    "Kuratov et al. (2024), BABILong, NeurIPS. arXiv:2406.10149",
)
def babilong(row: Row) -> Iterator[Asked]:
    """A question a row of RMT-team/babilong, which has no ids."""
    id, question = f"babilong-{row.number}", row["question"]
    yield ask(row["input"], id=id, question=question, answers=(row["target"],), source="BABILong")


@dataset(
    "mrcr",
    "OpenAI MRCR, the hub's rows: .jsonl",
    "MIT",
    "OpenAI MRCR (2025), huggingface.co/datasets/openai/mrcr; after MRCR of arXiv:2409.12640",
)
def mrcr(row: Row) -> Iterator[Asked]:
    """The last message of the prompt (JSON in a text) asks about those before it."""
    *before, last = listed(row["prompt"])
    if not before:
        raise ValueError("prompt: has no conversation and a question after it")
    conversation = "\n\n".join(f"{turn['role']}: {turn['content']}" for turn in before)
    reply = row["answer"].removeprefix(row.get("random_string_to_prepend") or "")
    yield ask(
        conversation,
        id=f"mrcr-{row.number}",
        question=last["content"],
        answers=(row["answer"],),
        kind=f"{row['n_needles']} needles",
        source="MRCR",
        evidence=(reply,) if reply.strip() and reply in conversation else (),
    )


@dataset(
    "longmemeval",
    "LongMemEval: longmemeval_s.json, _m, _oracle",
    "MIT",
    "Wu et al. (2025), LongMemEval, ICLR. arXiv:2410.10813",
)
def longmemeval(row: Row) -> Iterator[Asked]:
    """A question over all sessions in the order of their dates; turns with ``has_answer`` are evidence."""
    id, dates, sessions = row["question_id"], row["haystack_dates"], row["haystack_sessions"]
    if len(dates) != len(sessions):
        raise ValueError(f"haystack_dates: has {len(dates)} dates for {len(sessions)} sessions")
    in_order = sorted(zip(dates, sessions, strict=True), key=lambda one: one[0])
    turns = [turn for _, session in in_order for turn in session]
    parts = (
        "\n".join([f"Session of {date}", *(f"{turn['role']}: {turn['content']}" for turn in session)])
        for date, session in in_order
    )
    yield ask(
        "\n\n".join(parts),
        id=id,
        question=f"{row['question']} (Asked on {row['question_date']}.)",
        answers=(str(row["answer"]),),
        kind="abstention" if id.endswith("_abs") else row["question_type"],
        source="chats",
        evidence=distinct([turn["content"] for turn in turns if turn.get("has_answer")]),
    )
