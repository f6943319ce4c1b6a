/** Entry of the panel. */
export {};
