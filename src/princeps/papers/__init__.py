"""The claims of the papers, each as a runnable check with a verdict."""
