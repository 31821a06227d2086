"""Means with intervals and the trials of a run, as one Weights & Biases run: python log_wandb.py quick"""

import sys

import wandb

import niah

run = niah.load_run(sys.argv[1])
with wandb.init(project="niah", name=run.path.stem, config={"judge": run.contents.judge}) as tracked:
    trials = run.frame()
    for (reader, strategy), own in trials.groupby(["reader", "strategy"], observed=True):
        if own["scored"].any():  # what was not scored is no zero
            mean = run.mean(reader=reader, strategy=strategy)
            interval = {"low": mean.low, "high": mean.high, "n": mean.n}
            tracked.summary[f"{reader}/{strategy}"] = {"mean": mean.estimate, **interval}
    columns = ["reader", "strategy", "needle_set", "length", "depth", "seed", "outcome", "score", "answer"]
    shown = trials[columns].astype(object)
    tracked.log({"trials": wandb.Table(dataframe=shown.where(shown.notna(), None))})
    run.heatmap().savefig("heatmaps.png")
    tracked.log({"heatmaps": wandb.Image("heatmaps.png")})
