"""`python -m reference_driver.gpu`: run the driver."""

from reference_driver.gpu.main import main

raise SystemExit(main())
