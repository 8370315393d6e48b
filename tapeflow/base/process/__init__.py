"""What outlives forks, kills and the handlers of signals."""
