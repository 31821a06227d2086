"""Answers with a known truth, put to a judge: how far can it be trusted?"""
