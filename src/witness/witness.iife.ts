/** Entry of the isolated world. */
export {};
