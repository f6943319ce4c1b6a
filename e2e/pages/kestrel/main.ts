/** Puts one conversation on the page, or three side by side (`?board`). */
import { mount } from 'svelte';
import Board from './Board.svelte';

mount(Board, { target: document.getElementById('app')! });
