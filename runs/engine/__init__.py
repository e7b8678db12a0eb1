"""Worker processes: started, spoken to, ended."""
