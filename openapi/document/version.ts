/** Version of the contract: grows when a clause, gap, schema or operation changes. */
export const contractVersion = "0.1.0";
