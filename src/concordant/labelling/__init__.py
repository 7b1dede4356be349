"""Labelled samples: how they are drawn, what they estimate, and how many labels are enough."""
