"""How the GPU driver gets onto a cluster: its image, its manifests, its chart."""
