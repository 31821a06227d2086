"""The only door to LLMs."""

from niah.readers.reader import Answer, Failure, Reader, Request, Response, Traffic, Usage

__all__ = ["Answer", "Failure", "Reader", "Request", "Response", "Traffic", "Usage"]
