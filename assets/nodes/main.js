/* The list of a cluster's nodes, which a page fetches when it is opened first (`assets/common/loading/nodes.js`). */
import "./list.js";
