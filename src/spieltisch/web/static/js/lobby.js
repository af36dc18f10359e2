// On a phone, the lobby shows the player's tables and the ways to play now; the rest is collapsed, also after a push.
import { updateCollapsed } from './collapse.js';

document.addEventListener('spieltisch:page-updated', updateCollapsed);
