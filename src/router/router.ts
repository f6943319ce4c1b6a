/** Background: joins a tab's witness ports to its panel port. Holds nothing. */
export {};
