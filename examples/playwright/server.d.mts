export function serve(port?: number): Promise<{ readonly url: string; close(): void }>;
