// The page of planning: word tree and map as at the table; the chosen move is sent to the next page.
import './handoff-guard.js';
import './move-picker.js';
import './map.js';

// A page restored by "back" would still wait for the button that was pressed there.
addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
