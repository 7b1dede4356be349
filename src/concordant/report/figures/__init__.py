"""Figures of a comparison, by Plotly for notebooks and by Matplotlib for papers."""
