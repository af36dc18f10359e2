// The page of planning: the word tree and the map, as at the table; what is chosen goes to the next page.
import './handoff-guard.js';
import './move-picker.js';
import './map.js';

// A page that "back" shows again would still wait for what was pressed there.
addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
