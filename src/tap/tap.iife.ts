/** Entry of the page world. */
export {};
