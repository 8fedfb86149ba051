// Puts the page on the document.
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { beginSession } from './base/session-life.ts';
import { applySettings } from './base/settings.ts';

beginSession();
applySettings();
const page = document.getElementById('page');
if (page === null) throw new Error('index.html lacks the element #page that the page is put into.');
createRoot(page).render(<App />);
