"""`python -m reference_driver.gpu`: run the driver."""

import gc

gc.disable()  # modules stay: to look for garbage among them only makes the start longer

from reference_driver.gpu.main import main  # noqa: E402

gc.freeze()
gc.enable()
raise SystemExit(main())
