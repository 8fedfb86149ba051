// Puts the page on the document.
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { beginSession } from './session-life.ts';
import { applySettings } from './settings.ts';

beginSession();
applySettings();
const page = document.getElementById('page');
if (page === null) throw new Error('index.html lacks the element #page that the page is put into.');
createRoot(page).render(<App />);
