"""One listener hears one person, and only while he lets himself be heard."""
