def test_the_model_reads_what_it_is_given(niah_gate):
    run = niah_gate.run(
        "single", readers=[{"model": "qwen3", "api_base": "http://127.0.0.1:8000/v1"}], strategies=["lc"]
    )
    run.at_least(8.0, strategy="lc")
