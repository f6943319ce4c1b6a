/** The editor that the package brings takes this from the global scope, and is run before what would put it there. */
import Prism from 'prismjs';

(globalThis as { Prism?: unknown }).Prism = Prism;
