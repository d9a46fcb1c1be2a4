/** Runs one statement by itself and gives its rows; `$1` stands for the first value. */
export type RunStatement = <R>(text: string, values: readonly unknown[]) => Promise<readonly R[]>
