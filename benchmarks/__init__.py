"""Measurements that the documents quote; each says on which machine it was taken."""
