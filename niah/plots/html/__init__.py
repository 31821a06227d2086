"""The report as one HTML page."""

from niah.plots.html.report import write_report_page

__all__ = ["write_report_page"]
