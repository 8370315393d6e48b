"""Elements of datasets: their structure, and how rows of them are kept."""
