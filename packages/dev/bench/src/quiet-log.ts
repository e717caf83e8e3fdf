/** A log for what runs in the process of a benchmark: nothing of it is of interest. */
export const quietLog = { debug() {}, info() {}, warn() {}, error() {} }
