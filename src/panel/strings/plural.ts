/** English has two forms, and groups of three digits. */
export const plural = (count: number, one: string, many: string): string =>
  `${String(count).replace(/\B(?=(\d{3})+$)/gu, ',')} ${count === 1 ? one : many}`;
