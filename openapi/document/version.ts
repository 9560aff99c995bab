/** Version of the contract, which increases when a clause, gap, schema or operation changes. */
export const contractVersion = "0.1.0";
