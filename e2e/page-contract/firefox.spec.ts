/** The page contract in Firefox: the same list as in Chromium, but for what needs a means of Chromium's own (`only`). */
import { launchFirefox } from './firefox';
import { contractSuite } from './suite';

contractSuite('firefox', launchFirefox);
