"""The published datasets that niah can read, by name."""

from __future__ import annotations

from niah.cases.questions.published.dataset import PublishedDataset
from niah.cases.questions.published.loaders.babilong import BABILONG
from niah.cases.questions.published.loaders.collections.helmet import HELMET
from niah.cases.questions.published.loaders.collections.infinitebench import INFINITEBENCH
from niah.cases.questions.published.loaders.collections.lc_vs_rag import LC_VS_RAG
from niah.cases.questions.published.loaders.collections.leval import LEVAL
from niah.cases.questions.published.loaders.collections.longbench import LONGBENCH
from niah.cases.questions.published.loaders.collections.longbench_v2 import LONGBENCH_V2
from niah.cases.questions.published.loaders.hotpotqa import HOTPOTQA
from niah.cases.questions.published.loaders.longmemeval import LONGMEMEVAL
from niah.cases.questions.published.loaders.mrcr import MRCR
from niah.cases.questions.published.loaders.musique import MUSIQUE
from niah.cases.questions.published.loaders.qasper import QASPER
from niah.cases.questions.published.loaders.ruler import RULER
from niah.cases.questions.published.loaders.squad import SQUAD
from niah.cases.questions.published.loaders.stories.narrativeqa import NARRATIVEQA
from niah.cases.questions.published.loaders.stories.novelqa import NOVELQA, NOVELQA_FREE
from niah.cases.questions.published.loaders.stories.quality import QUALITY
from niah.errors import UnknownName

DATASETS: dict[str, PublishedDataset] = {
    dataset.name: dataset
    for dataset in (
        QUALITY,
        NARRATIVEQA,
        LONGBENCH,
        LONGBENCH_V2,
        INFINITEBENCH,
        RULER,
        LONGMEMEVAL,
        BABILONG,
        MRCR,
        HOTPOTQA,
        MUSIQUE,
        SQUAD,
        QASPER,
        LEVAL,
        HELMET,
        NOVELQA,
        NOVELQA_FREE,
        LC_VS_RAG,
    )
}


def published_dataset(name: str) -> PublishedDataset:
    """The dataset of that name. Raises UnknownName."""
    if name not in DATASETS:
        raise UnknownName("published format", name, DATASETS)
    return DATASETS[name]
