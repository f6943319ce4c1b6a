/** The extension's cases in Firefox. */
import { launchFirefox } from '../drivers/firefox';
import { extensionCases } from './cases';

extensionCases('firefox', launchFirefox);
