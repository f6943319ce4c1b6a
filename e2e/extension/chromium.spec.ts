/** The extension's cases in Chromium. */
import { launchChromium } from '../drivers/chromium';
import { extensionCases } from './cases';

extensionCases('chrome', launchChromium);
