"""The report as one HTML page."""

from niah.plots.html.report import page_parts, write_report_page

__all__ = ["page_parts", "write_report_page"]
