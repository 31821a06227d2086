"""Scores by length and the report of a run, as one MLflow run a model: python log_mlflow.py quick"""

import re
import sys

import mlflow

import niah

run = niah.load_run(sys.argv[1])
for reader, of_model in run.frame().groupby("reader", observed=True):
    with mlflow.start_run(run_name=f"{run.path.stem} {reader}"):
        mlflow.log_params({"model": reader, "judge": run.contents.judge, "run": run.contents.run_id})
        for (strategy, length), trials in of_model.groupby(["strategy", "length"], observed=True):
            name = re.sub(r"[^\w./-]", "_", f"score/{strategy}")  # the signs that MLflow takes
            if trials["scored"].any():  # what was not scored is no zero
                mlflow.log_metric(name, trials["score"].mean(), step=int(length))
        mlflow.log_dict(run.table("mean-scores").to_dict("list"), "mean-scores.json")
        mlflow.log_artifacts(str(run.report(f"plots/{run.path.stem}").page.parent), "report")
