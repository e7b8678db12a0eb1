/* The list of a cluster's nodes, fetched when a page first opens it (`assets/common/loading/nodes.js`). */
import "./list.js";
