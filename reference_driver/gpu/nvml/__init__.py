"""The GPU driver on real GPUs, which NVML tells of: `python -m reference_driver.gpu --gpus=nvml`.

Nothing here is imported while the GPUs are made up. docs/nvml.md says what is published and what containers get.

    options       the command line, and where the vendor's driver is
    library       libnvidia-ml, loaded and initialised
    facts         what is known of a GPU and its MIG devices
    gpus, migs, nvlink  asking NVML for these
    places        what the machine's files say: PCIe root, NUMA node
    devices       facts as they are published, with counters for MIG devices
    remembered    facts and XIDs that a restart, or a GPU that does not answer, must not make forgotten
    ailments      what ails a GPU, and when it is well again
    state         all of that from one look to the next; snapshot: how it is at one moment
    monitor       a thread that looks at the GPUs and listens to their events; session: from nvmlInit to nvmlShutdown
    installation  the files of the vendor's driver; cdi: what of them a container gets
    sharing       compute modes, set for a claim and set back
    driver        all of it as a driver of the plugin framework
    start         puts it together
    verify        a program that compares what would be published with what is found otherwise: comparisons
"""
