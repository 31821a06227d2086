"""The report as one HTML page."""

from niah.plots.html.report import page_figure, page_parts, write_report_page

__all__ = ["page_figure", "page_parts", "write_report_page"]
