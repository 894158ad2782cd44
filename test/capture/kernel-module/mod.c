int __this_module;
