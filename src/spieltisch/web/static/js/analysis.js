// The analysis: its board is put in when there is one.
import './map.js';

document.addEventListener('htmx:after:swap', () => document.dispatchEvent(new CustomEvent('spieltisch:page-updated')));
