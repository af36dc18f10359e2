// On a phone the lobby shows my tables and the ways to play now; the rest is folded to its headings, also after a push.
import { updateCollapsed } from './collapse.js';

document.addEventListener('spieltisch:changed', updateCollapsed);
